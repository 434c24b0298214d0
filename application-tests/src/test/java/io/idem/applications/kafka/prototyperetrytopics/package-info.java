/** Retry topics of a prototype. */
@NullMarked
package io.idem.applications.kafka.prototyperetrytopics;

import org.jspecify.annotations.NullMarked;
