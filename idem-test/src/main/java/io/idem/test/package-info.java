/** For tests of users, and of authors of stores: a settable clock, stores that obey it, and the contract of a store. */
@NullMarked
package io.idem.test;

import org.jspecify.annotations.NullMarked;
