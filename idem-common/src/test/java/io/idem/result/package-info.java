@NullMarked
package io.idem.result;

import org.jspecify.annotations.NullMarked;
