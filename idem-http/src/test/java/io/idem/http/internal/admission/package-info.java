@NullMarked
package io.idem.http.internal.admission;

import org.jspecify.annotations.NullMarked;
