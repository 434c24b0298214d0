@NullMarked
package io.idem.http.autoconfigure;

import org.jspecify.annotations.NullMarked;
