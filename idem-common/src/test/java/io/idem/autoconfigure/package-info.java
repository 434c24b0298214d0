@NullMarked
package io.idem.autoconfigure;

import org.jspecify.annotations.NullMarked;
