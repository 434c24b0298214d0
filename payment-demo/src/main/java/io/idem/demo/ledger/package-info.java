/** The ledger and the other tables. None has a unique constraint on the key: they are witnesses, not guards. */
@NullMarked
package io.idem.demo.ledger;

import org.jspecify.annotations.NullMarked;
