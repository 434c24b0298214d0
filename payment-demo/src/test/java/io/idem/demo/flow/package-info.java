@NullMarked
package io.idem.demo.flow;

import org.jspecify.annotations.NullMarked;
