@NullMarked
package io.idem.http;

import org.jspecify.annotations.NullMarked;
