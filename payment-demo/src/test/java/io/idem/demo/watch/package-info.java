@NullMarked
package io.idem.demo.watch;

import org.jspecify.annotations.NullMarked;
