@NullMarked
package io.idem.internal.method;

import org.jspecify.annotations.NullMarked;
