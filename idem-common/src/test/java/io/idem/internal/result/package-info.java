@NullMarked
package io.idem.internal.result;

import org.jspecify.annotations.NullMarked;
