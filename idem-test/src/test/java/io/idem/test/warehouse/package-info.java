@NullMarked
package io.idem.test.warehouse;

import org.jspecify.annotations.NullMarked;
