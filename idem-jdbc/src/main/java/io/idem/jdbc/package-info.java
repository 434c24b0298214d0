/** The inbox for PostgreSQL: remembers in the business transaction itself that its work took effect. */
@NullMarked
package io.idem.jdbc;

import org.jspecify.annotations.NullMarked;
