@NullMarked
package io.idem.jdbc.store;

import org.jspecify.annotations.NullMarked;
