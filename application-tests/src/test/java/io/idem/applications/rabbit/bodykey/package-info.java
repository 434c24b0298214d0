/** The key is the body. */
@NullMarked
package io.idem.applications.rabbit.bodykey;

import org.jspecify.annotations.NullMarked;
