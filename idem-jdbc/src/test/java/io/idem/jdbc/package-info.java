@NullMarked
package io.idem.jdbc;

import org.jspecify.annotations.NullMarked;
