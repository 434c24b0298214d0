@NullMarked
package io.idem.demo;

import org.jspecify.annotations.NullMarked;
