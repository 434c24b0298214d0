/** Codecs that keep results as JSON. Open {@link io.idem.json.JacksonResultCodec} first, which uses Jackson 3. */
@NullMarked
package io.idem.json;

import org.jspecify.annotations.NullMarked;
