@NullMarked
package io.idem.test;

import org.jspecify.annotations.NullMarked;
