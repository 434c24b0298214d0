/** The key is in a header of the sender. */
@NullMarked
package io.idem.applications.rabbit.headerkey;

import org.jspecify.annotations.NullMarked;
