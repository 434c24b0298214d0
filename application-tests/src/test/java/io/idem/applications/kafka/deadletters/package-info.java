/** Failed records go to a dead-letter topic at once. */
@NullMarked
package io.idem.applications.kafka.deadletters;

import org.jspecify.annotations.NullMarked;
