@NullMarked
package io.idem.http.tenant;

import org.jspecify.annotations.NullMarked;
