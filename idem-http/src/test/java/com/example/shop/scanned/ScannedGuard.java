package com.example.shop.scanned;

import com.example.shop.ServletGuards;
import jakarta.servlet.annotation.WebFilter;

@WebFilter(filterName = "scanned", urlPatterns = "/*")
public class ScannedGuard extends ServletGuards.Guard {}
