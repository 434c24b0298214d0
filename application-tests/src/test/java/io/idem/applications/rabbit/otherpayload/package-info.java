/** Another payload under a used key, from a producer that sends no fingerprint. */
@NullMarked
package io.idem.applications.rabbit.otherpayload;

import org.jspecify.annotations.NullMarked;
