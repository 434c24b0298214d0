@NullMarked
package io.idem.test.steps;

import org.jspecify.annotations.NullMarked;
