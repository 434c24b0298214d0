/** HTTP applications, each in its own package. */
@NullMarked
package io.idem.applications.http;

import org.jspecify.annotations.NullMarked;
