/** The key is the body. */
@NullMarked
package io.idem.applications.kafka.bodykey;

import org.jspecify.annotations.NullMarked;
