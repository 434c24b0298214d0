/** The stores on a real PostgreSQL, whole and broken. */
@NullMarked
package io.idem.test.jdbc;

import org.jspecify.annotations.NullMarked;
