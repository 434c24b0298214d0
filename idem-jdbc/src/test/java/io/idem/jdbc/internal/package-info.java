@NullMarked
package io.idem.jdbc.internal;

import org.jspecify.annotations.NullMarked;
