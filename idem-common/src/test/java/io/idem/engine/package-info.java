@NullMarked
package io.idem.engine;

import org.jspecify.annotations.NullMarked;
