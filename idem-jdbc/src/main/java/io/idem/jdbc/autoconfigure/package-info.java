/** Spring Boot wires the inbox here; nothing in it is for users to call. */
@NullMarked
package io.idem.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
