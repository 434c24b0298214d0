@NullMarked
package io.idem.json;

import org.jspecify.annotations.NullMarked;
