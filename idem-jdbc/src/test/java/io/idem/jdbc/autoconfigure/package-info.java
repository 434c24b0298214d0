@NullMarked
package io.idem.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
