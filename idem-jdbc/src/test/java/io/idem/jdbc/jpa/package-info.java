/** Tests of the inbox in the transactions of JPA. */
@NullMarked
package io.idem.jdbc.jpa;

import org.jspecify.annotations.NullMarked;
