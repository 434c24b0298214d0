@NullMarked
package io.idem.operations;

import org.jspecify.annotations.NullMarked;
