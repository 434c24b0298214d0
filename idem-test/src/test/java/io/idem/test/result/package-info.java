/** Storages of large results under the contract. */
@NullMarked
package io.idem.test.result;

import org.jspecify.annotations.NullMarked;
