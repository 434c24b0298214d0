/** The near cache under the contract of stores. */
@NullMarked
package io.idem.test.cache;

import org.jspecify.annotations.NullMarked;
