@NullMarked
package io.idem.micrometer;

import org.jspecify.annotations.NullMarked;
