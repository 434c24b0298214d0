/** The applications of docs/http.md, as it shows them. */
@NullMarked
package io.idem.http.setup;

import org.jspecify.annotations.NullMarked;
