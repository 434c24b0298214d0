/** Applications outside idem's packages: filters of these count as the application's own. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
