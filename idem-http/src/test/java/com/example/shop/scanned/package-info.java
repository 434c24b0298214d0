/** A filter that the container's annotation registers. */
@NullMarked
package com.example.shop.scanned;

import org.jspecify.annotations.NullMarked;
