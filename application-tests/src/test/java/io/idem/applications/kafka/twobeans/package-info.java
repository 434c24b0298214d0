/** Two beans of one class, with a scope for each. */
@NullMarked
package io.idem.applications.kafka.twobeans;

import org.jspecify.annotations.NullMarked;
