/** Results as JSON, by Jackson 3. */
@NullMarked
package io.idem.json;

import org.jspecify.annotations.NullMarked;
