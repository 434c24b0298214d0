@NullMarked
package io.idem.test.contract;

import org.jspecify.annotations.NullMarked;
