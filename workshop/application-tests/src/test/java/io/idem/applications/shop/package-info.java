/** The shop of the applications: a ledger that records the effects. */
@NullMarked
package io.idem.applications.shop;

import org.jspecify.annotations.NullMarked;
