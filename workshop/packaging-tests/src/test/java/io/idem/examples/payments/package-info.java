/** The code on docs/guide-payments.md. */
@NullMarked
package io.idem.examples.payments;

import org.jspecify.annotations.NullMarked;
