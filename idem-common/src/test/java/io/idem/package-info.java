@NullMarked
package io.idem;

import org.jspecify.annotations.NullMarked;
