/** What docs/guide-payments.md shows. */
@NullMarked
package io.idem.examples.payments;

import org.jspecify.annotations.NullMarked;
