/** Another payload under a used key, compared by its body. */
@NullMarked
package io.idem.applications.kafka.fingerprint;

import org.jspecify.annotations.NullMarked;
