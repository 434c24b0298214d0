@NullMarked
package io.idem.http.outcome;

import org.jspecify.annotations.NullMarked;
