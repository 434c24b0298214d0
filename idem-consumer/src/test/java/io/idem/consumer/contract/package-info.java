/** Contracts that the adapters of every broker obey, with the applications and doubles of their tests. */
@NullMarked
package io.idem.consumer.contract;

import org.jspecify.annotations.NullMarked;
