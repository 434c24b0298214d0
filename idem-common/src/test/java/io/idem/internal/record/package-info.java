@NullMarked
package io.idem.internal.record;

import org.jspecify.annotations.NullMarked;
